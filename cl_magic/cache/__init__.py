"""What is kept on disk between processes: builds, what the front end saw, and the drivers' own caches."""
