// Package values reads a file of constants for parameters and bodies of requests that a contract does not provide.
package values
