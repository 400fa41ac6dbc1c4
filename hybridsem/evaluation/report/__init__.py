"""Result cards compared: tables, pictures, a leaderboard; reports of scored files."""
