"""A page that ranks models, from any folder of result cards.

files, folders --page.read_cards--> cards --board.leaderboard--> Board --page.write--> files
"""
