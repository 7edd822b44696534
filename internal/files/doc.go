// Package files writes files whole or not at all, and marks those that are in use. It knows nothing of what stands in them.
package files
