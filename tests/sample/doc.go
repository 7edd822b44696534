// Package sample makes records of real runs for the tests of whatever shows them: the whole suite against the reference
// service, good, broken or hostile. Only tests import it.
package sample
