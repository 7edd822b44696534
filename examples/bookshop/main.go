// Bookshop serves the bookshop of openapi.yaml: go run ./examples/bookshop. With --fault it breaks one rule, with --freedom it keeps all of
// them in a way of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/examples/bookshop/service"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bookshop: "+err.Error())
		os.Exit(2)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bookshop", flag.ContinueOnError)
	address := flags.String("address", "127.0.0.1:8090", "the `address` to serve at")
	fault := flags.String("fault", "", "the `name` of the rule's breach to serve with")
	freedom := flags.String("freedom", "", "the `name` of the freedom to serve with")
	list := flags.Bool("list", false, "list the faults and the freedoms")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *list {
		return write(out)
	}
	if *fault != "" && !slices.ContainsFunc(faults(), func(f service.Fault) bool { return f.Name == *fault }) {
		return fmt.Errorf("there is no fault %q; --list shows which there are", *fault)
	}
	if *freedom != "" && !slices.ContainsFunc(service.Freedoms(), func(f service.Freedom) bool { return f.Name == *freedom }) {
		return fmt.Errorf("there is no freedom %q; --list shows which there are", *freedom)
	}
	if *fault != "" && *freedom != "" {
		return errors.New("--fault and --freedom are given; one shop has one of them")
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", *address)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "The bookshop is at http://%s. Staff key %s, customer token %s, another customer's %s.\n",
		listener.Addr(), service.StaffKey, service.CustomerToken, service.NeighbourToken); err != nil {
		return err
	}
	server := &http.Server{Handler: service.New(*fault + *freedom), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

// write lists the variants.
func write(out io.Writer) error {
	for _, f := range faults() {
		if _, err := fmt.Fprintf(out, "--fault %s  # breaks %s\n", f.Name, f.Rule); err != nil {
			return err
		}
	}
	for _, f := range service.Freedoms()[1:] {
		if _, err := fmt.Fprintf(out, "--freedom %s\n", f.Name); err != nil {
			return err
		}
	}
	return nil
}

// faults are those that break derived rules and those that break rules of the shop's own.
func faults() []service.Fault { return slices.Concat(service.Faults(), service.WrittenFaults()) }
