"""SQL of moments: posting, hiding, sharing and applause."""
