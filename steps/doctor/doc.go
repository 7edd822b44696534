// Package doctor judges the way to a target, before a run or in place of one: what is used of proxy, DNS, TCP and TLS, and
// whether the clocks agree. It sends nothing, and knows no scenario.
package doctor
