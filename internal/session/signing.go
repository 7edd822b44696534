package session

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/conformance"
	"github.com/hallmark-kit/hallmark/reports/record"
)

// SignedFormats are all formats, with the conformance report signed if a key is given. Any obstacle to signing
// shows here, and not after a run. If insist is set, such a report must be requested.
func SignedFormats(env *cli.Env, o options.Signing, wanted []string, made record.Implementation, insist bool) ([]reports.Format, error) {
	all := Formats()
	asked := slices.ContainsFunc(wanted, func(text string) bool {
		return strings.HasPrefix(text, conformance.Format(nil).Name+":")
	})
	switch {
	case o.Key == "", !asked && !insist:
		return all, nil
	case !asked:
		return nil, errors.New("--sign signs conformance reports, but none is requested; add --report conformance:FILE")
	}
	if err := conformance.Signable(made); err != nil {
		return nil, fmt.Errorf("--sign: %w", err)
	}
	signer, err := signer(env, o)
	if err != nil {
		return nil, err
	}
	signed := conformance.Format(signer)
	i := slices.IndexFunc(all, func(f reports.Format) bool { return f.Name == signed.Name })
	all[i] = signed
	return all, nil
}

// signer reads the private key.
func signer(env *cli.Env, o options.Signing) (*conformance.Signer, error) {
	named := "--sign " + text.Visible(o.Key)
	s, err := options.ReadSecret(named, o.Key)
	if err != nil {
		return nil, err
	}
	key, err := conformance.ReadPrivateKey([]byte(s))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", named, err)
	}
	if info, err := os.Stat(o.Key); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		fmt.Fprintf(env.Stderr, "hallmark: warning: others can read the private key %s, and sign with it; chmod 600 %s\n", text.Visible(o.Key), text.ShellQuote(o.Key))
	}
	return &conformance.Signer{Key: key, Days: o.Days}, nil
}
