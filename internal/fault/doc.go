// Package fault derives faults from a contract: defects of a service, each in one operation and with the rule that it breaks, as mutations
// that can be put in front of any service that keeps the contract.
package fault
