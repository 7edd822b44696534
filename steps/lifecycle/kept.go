package lifecycle

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/spec/promise"
	"hallmark/spec/resource"
	"hallmark/steps/scenario"
)

// Whether what a run created is there at its end.

// createdBefore is what the run created, the oldest first, and how it is read at the end.
type createdBefore struct {
	life resource.Life
	made []*scenario.Resource
	read []*scenario.Answer
}

// The numbers of the oldest and the newest resources that are read at the end, and how many have to be gone: somebody else may remove one.
const (
	mostOldest = 6
	mostNewest = 2
	leastGone  = 2
)

// whenCreatedRead is "what the run created before is read by <operation>".
func whenCreatedRead(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, err := s.Making()
	if err != nil {
		return err
	}
	op, err := operation(s, unquoted(name))
	if err != nil {
		return err
	}
	life, ok := s.Run.Promises.Life(m.Request.Operation)
	if !ok {
		return scenario.Excusef("it is not known how what %s creates is read", m.Request.Operation.ID)
	}
	all := s.Run.Existing(m.Request.Operation)
	if len(all) < mostOldest+mostNewest {
		return scenario.Excusef("the run created too little")
	}
	st := &createdBefore{life: life}
	for i, r := range all {
		if i >= mostOldest && i < len(all)-mostNewest {
			continue
		}
		in := &instance{story: &story{making: m, life: life}, resource: r}
		a, err := read(ctx, s, in, op, false)
		if err != nil {
			return err
		}
		judgeStatus(s, op, a)
		st.made, st.read = append(st.made, r), append(st.read, a)
	}
	s.Life = st
	s.SetAnswers(st.read[0])
	return nil
}

// thenAllThere is "all of it is there". What is read beside what is gone shows that reading works.
func thenAllThere(ctx context.Context) error {
	s := scenario.From(ctx)
	st, ok := s.Life.(*createdBefore)
	if !ok {
		return fmt.Errorf("nothing was read at the end before this step")
	}
	var gone []int
	there := 0
	for i, a := range st.read {
		switch {
		case a.Status() == http.StatusNotFound || a.Status() == http.StatusGone:
			gone = append(gone, i)
		case a.Status()/100 == 2:
			there++
		}
	}
	if len(gone) == 0 {
		if there > 0 {
			s.Kept(s.Rule.ID)
		}
		return nil
	}
	a := st.read[gone[0]]
	switch meaning := promise.Ended(st.life, nil, time.Now(), time.Hour, true); {
	case meaning != "":
		observe(s, a, meaning)
		return nil
	case len(gone) < leastGone || there == 0:
		observe(s, a, fmt.Sprintf("%d of %d are gone", len(gone), len(st.read)))
		return nil
	}
	j := wrong(s, a, spec.KindLost, phrase.Of("{}, which this run created and nobody removed", phrase.JSON(fmt.Sprint(st.made[gone[0]].Identifier()))), phrase.Of("status {}", phrase.Status(a.Status())))
	j.finding.Exchanges = []int{a.Exchange.Seq, st.read[gone[1]].Exchange.Seq}
	if !isSettled(s, j) {
		s.Find(a.Exchange, j.finding)
	}
	return nil
}
