// Package feature holds derived feature files and the scenarios in them. The texts are what counts: they are kept, shown and digested. To know
// the scenarios beside them spares parsing the texts.
package feature
