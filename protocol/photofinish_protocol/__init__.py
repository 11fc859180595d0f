"""The wire: every message, both codecs, and the closed tables of reasons and close codes."""
