"""One session per connection: hello, requests, exactly one answer for each."""
