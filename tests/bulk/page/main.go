// Page writes the HTML report of a run over many operations, for tests in a browser: page OPERATIONS FILE.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/hallmark-kit/hallmark/reports/html"
	"github.com/hallmark-kit/hallmark/tests/bulk"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("give the number of operations and the file to write")
	}
	operations, err := strconv.Atoi(args[0])
	if err != nil || operations < 1 {
		return fmt.Errorf("%q is no number of operations", args[0])
	}
	v, err := bulk.View(operations)
	if err != nil {
		return err
	}
	file, err := os.Create(args[1])
	if err != nil {
		return err
	}
	if err := html.Format().Write(file, v); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
