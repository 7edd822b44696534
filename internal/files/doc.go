// Package files writes files atomically and locks files in use. It does not interpret their content.
package files
