package options

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/config"
)

// addLimits adds the flags that limit the requests to the service and that identify them to its operators.
func (o *Options) addLimits(flags *pflag.FlagSet) {
	o.Run.Correlation, o.Run.Patience.Reconnect = "X-Correlation-ID", 10*time.Second
	flags.Var(rateValue(&o.Run.Limits.Rate), "rate", "send at most this many requests a second, evenly spread (0.5 is one every 2 seconds)")
	flags.Var(cli.NumberValue(&o.Run.Limits.MaxRequests, 0, math.MaxInt32), "max-requests", "stop after this many requests; 0 sets no limit")
	flags.Var(cli.DurationValue(&o.Run.Limits.MaxTime, 0, 24*time.Hour), "max-time", "stop sending requests after this time; 0 sets no limit")
	flags.Var(cli.DurationValue(&o.Run.Patience.Wait, 0, time.Hour), "wait", "wait at most this long for the service to become ready, for example after a deployment")
	flags.Var(cli.DurationValue(&o.Run.Patience.Settle, 0, time.Minute), "settle", "how long a write may take to become visible; reports say how long it took")
	flags.Var(cli.DurationValue(&o.Run.Patience.Reconnect, 0, time.Hour), "patience", "how long to retry refused connections and a service that stopped answering; 0 tries once")
	flags.Var(headerNameValue(&o.Run.Correlation), "correlation-header", "the header that carries the id of each exchange; an empty name sends none")
}

// maxRate limits --rate, since the clock is not precise enough for more.
const maxRate = 100_000

// rateValue returns a value for a number of requests per second.
func rateValue(to *float64) *cli.Value {
	return &cli.Value{Kind: "N", Key: config.Key{Kind: config.Decimal}, Parse: func(text string) error {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || !(f >= 0.001 && f <= maxRate) {
			return fmt.Errorf("%q is not a number of requests a second, from 0.001 to %d", text, maxRate)
		}
		*to = f
		return nil
	}}
}

var tokenName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]*$")

// headerNameValue returns a value for an optional header name.
func headerNameValue(to *string) *cli.Value {
	return &cli.Value{Kind: "NAME", Text: *to, Key: config.Key{Kind: config.Text}, Parse: func(text string) error {
		switch {
		case !tokenName.MatchString(text):
			return fmt.Errorf("%q is not a header name", text)
		case strings.EqualFold(text, "Authorization"), strings.EqualFold(text, "Content-Type"), strings.EqualFold(text, "Accept"),
			strings.EqualFold(text, "User-Agent"), strings.EqualFold(text, "Host"), strings.EqualFold(text, "Content-Length"):
			return errors.New("this header is used for something else")
		}
		*to = text
		return nil
	}}
}
