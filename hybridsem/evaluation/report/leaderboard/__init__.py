"""A page that ranks models, from any folder of result cards."""
