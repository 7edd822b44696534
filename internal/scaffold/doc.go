// Package scaffold writes the files that a team begins with which judges services by an OpenAPI document of its own.
package scaffold
