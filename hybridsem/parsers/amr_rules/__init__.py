"""AMR graphs from dependency trees, by rules and tables of counts."""
