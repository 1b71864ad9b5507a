"""What reaches members outside of a screen: notifications, push, mail."""
