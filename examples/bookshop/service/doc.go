// Package service is a bookshop in memory that keeps openapi.yaml strictly. It shares no code with what judges it, and can be given a
// fault, which breaks one rule, or a freedom, which breaks none.
package service
