"""From text to terms, and what the lexical leg stores and asks with them."""
