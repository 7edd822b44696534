// Package tests is the folder of what only tests import:
//
//   - services to be judged: shop, impostor, hostile;
//   - records of runs: sample, fixture;
//   - single steps, whole runs and exchanges: rehearse, runtest, exchangetest;
//   - small helpers: petstoretest, pages, crowd, skip;
//   - tests of more than one package: whole runs in process (wholerun), the built binary and the documentation (acceptance),
//     benchmarks (speed), and the rules that the packages keep among themselves (generic).
package tests
