// Package pages reads the pages of the documentation and extracts their parts. Only tests import it.
package pages
