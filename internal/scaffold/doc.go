// Package scaffold writes the initial files for a team that judges services by its own OpenAPI document.
package scaffold
