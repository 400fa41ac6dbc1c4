"""Result cards side by side: the comparison, its tables, its pictures."""
