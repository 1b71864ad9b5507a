"""Tests of the imitated provider."""
