// Package sample makes records of real runs for tests of what displays them: the whole suite against the reference service, good, broken or
// hostile. Only tests import it.
package sample
