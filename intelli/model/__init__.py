"""The one way to a model: OpenAI-compatible endpoints directly, all else through litellm."""
