package lifecycle

import (
	"bytes"
	"context"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/wire"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// awkward are bytes that are no text: services that take them for one change or cut them.
var awkward = []byte{0, 1, 0xff, 0xfe, '\r', '\n', 0x80, 0xc3, 0x28, '"', '\\', '\n'}

// whenBytes implements "<operation> returns the bytes that it sends". Other bytes are sent twice, while the run sends nothing else, and what is read
// has to differ from them both times.
func whenBytes(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	reader, err := operation(s, unquoted(name))
	if err != nil {
		return err
	}
	m, err := s.Making()
	if err != nil {
		return err
	}
	alone, release, err := s.Alone(ctx)
	if err != nil {
		return err
	}
	defer release()
	var wrongs []judgement
	for range 2 {
		sent := slices.Concat([]byte(s.Run.FreshName()), awkward)
		a, err := s.Ask(alone, m.Request.WithBody(promise.Octets, wire.File{Data: sent}), m.Credential, s.Pickle.Name)
		if err != nil {
			return err
		}
		judgeStatus(s, m.Request.Operation, a)
		if a.Status()/100 != 2 || a.Status() == http.StatusAccepted {
			return scenario.Excusef("%s does not store it at once: status %d", m.Request.Operation.ID, a.Status())
		}
		r, with, err := scenario.Current(alone, s, reader, m.Request)
		if err != nil {
			return err
		}
		read, err := Until(alone, s, func() (*scenario.Answer, error) { return s.Ask(alone, r, with, s.Pickle.Name) }, func(a *scenario.Answer) bool {
			return a.Status() == http.StatusOK && bytes.Equal(a.Exchange.Response.Body, sent)
		})
		if err != nil {
			return err
		}
		s.SetAnswers(read)
		got := read.Exchange.Response
		switch {
		case read.Status() != http.StatusOK || got.TooLong:
			return scenario.Excusef("what was stored cannot be read: status %d", read.Status())
		case bytes.Equal(got.Body, sent):
			s.Kept(s.Rule.ID)
			return nil
		}
		j := wrong(s, read, spec.KindDiffers, phrase.Of("the {} that were sent", phrase.Count(len(sent), "byte")), phrase.Of("{}, and other ones", phrase.Count(len(got.Body), "byte")))
		j.finding.Exchanges = []int{a.Exchange.Seq, read.Exchange.Seq}
		wrongs = append(wrongs, j)
	}
	last := wrongs[len(wrongs)-1]
	s.Find(last.at.Exchange, last.finding)
	return nil
}
