package reports

// What the tests outside of the package look at.

const WriteEvery = writeEvery
