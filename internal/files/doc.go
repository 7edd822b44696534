// Package files writes files whole or not at all. It knows nothing of what stands in them.
package files
