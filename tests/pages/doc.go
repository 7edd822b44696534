// Package pages reads the pages of the documentation, and finds what is in them. Only tests import it.
package pages
