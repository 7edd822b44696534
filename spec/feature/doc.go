// Package feature is what derives scenarios from a contract hands to what plays them: feature files as they are written, with what is to be read
// of them. The texts are what counts: they are kept, shown and digested. To know the scenarios beside them spares parsing the texts.
package feature
