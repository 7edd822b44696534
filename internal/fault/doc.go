// Package fault derives the faults that a contract makes visible: defects of a service, each in one operation,
// each with the rule that it breaks, as mutations that can be put in front of any service that keeps the contract.
package fault
