package petstore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// childFile is the environment variable that makes the test program a service on the file it names.
const childFile = "REFERENCE_TEST_FILE"

// runChild serves the file until it is killed, and prints the address.
func runChild(path string) int {
	err := func() error {
		file, err := petstore.OpenFile(path)
		if err != nil {
			return err
		}
		service, err := petstore.New(petstore.Options{Keys: []string{key}, Store: file})
		if err != nil {
			return err
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		fmt.Println(l.Addr())
		// The parent kills this process. Should the parent itself come to an end, so does its end of the pipe.
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			defer cancel()
			_, _ = io.Copy(io.Discard, os.Stdin)
		}()
		return petstore.Serve(ctx, l, service.Handler(), petstore.Timeouts{}, nil)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// Every animal that got 201 is there, exactly, after the process was killed in the middle of writing; three times over
// on the same file.
func TestSurvivesKill(t *testing.T) {
	const writers, enough = 8, 100
	path := filepath.Join(t.TempDir(), "pets.db")
	answered := make(map[int64]petstore.Pet)
	for round := range 3 {
		before := len(answered)
		child := startChild(t, path)

		var mu sync.Mutex
		kill := sync.OnceFunc(func() { // while the other writers go on writing
			if err := child.process.Kill(); err != nil {
				t.Error(err)
			}
		})
		var group sync.WaitGroup
		for w := range writers {
			group.Go(func() {
				for i := 0; ; i++ {
					n := petstore.NewPet{
						Name:       fmt.Sprintf("%d/%d/%d \x00 é😀 %s", round, w, i, strings.Repeat("x", i*37%5000)),
						CategoryID: -9223372036854775808 + int64(i),
						Status:     petstore.Statuses()[i%3],
					}
					p, err := child.create(t.Context(), n)
					if err != nil {
						return // killed
					}
					mu.Lock()
					if _, twice := answered[p.ID]; twice {
						t.Errorf("id %d was given twice", p.ID)
					}
					answered[p.ID] = p
					if len(answered) >= before+enough {
						kill()
					}
					mu.Unlock()
				}
			})
		}
		group.Wait()
		kill()
		_ = child.wait()
		if len(answered) < before+enough {
			t.Fatalf("round %d: only %d animals were answered; the service said: %s", round, len(answered)-before,
				child.stderr.String())
		}
		checkFile(t, path, answered)
	}
}

func checkFile(t *testing.T, path string, want map[int64]petstore.Pet) {
	t.Helper()
	file, err := petstore.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for id, p := range want {
		if got, err := file.Get(t.Context(), id); err != nil || got != p {
			t.Errorf("animal %d, answered as %.60q, is %.60q: %v", id, p.Name, got.Name, err)
		}
	}
	// Animals that were stored and not answered any more may be there too: one a writer and round at most.
	all, err := file.List(t.Context(), petstore.Filter{}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if extra := len(all) - len(want); extra < 0 || extra > 8*3 {
		t.Errorf("%d animals are stored, %d were answered", len(all), len(want))
	}
	total := 0
	for _, status := range petstore.Statuses() {
		of, err := file.List(t.Context(), petstore.Filter{Status: status}, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		total += len(of)
	}
	if total != len(all) {
		t.Errorf("%d animals are listed by status, %d without", total, len(all))
	}
}

type child struct {
	url     string
	process *os.Process
	wait    func() error
	stderr  *buffer
	http    *http.Client
}

func startChild(t *testing.T, path string) *child {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{stderr: new(buffer), http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
	t.Cleanup(c.http.CloseIdleConnections)
	command := exec.Command(program)
	command.Env = append(os.Environ(), childFile+"="+path)
	command.Stderr = c.stderr
	if _, err := command.StdinPipe(); err != nil { // stays open as long as this process lives
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	c.process = command.Process
	c.wait = sync.OnceValue(command.Wait)
	t.Cleanup(func() { _ = command.Process.Kill(); _ = c.wait() })
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the service did not start: %v; it said: %s", err, c.stderr.String())
	}
	c.url = "http://" + strings.TrimSpace(address) + "/v1"
	return c
}

// create returns the animal as it was sent, with the id of the response, if that is a 201.
func (c *child) create(ctx context.Context, n petstore.NewPet) (petstore.Pet, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	body, err := json.Marshal(map[string]any{"name": n.Name, "categoryId": n.CategoryID, "status": n.Status})
	if err != nil {
		return petstore.Pet{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/pets", strings.NewReader(string(body)))
	if err != nil {
		return petstore.Pet{}, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := c.http.Do(request)
	if err != nil {
		return petstore.Pet{}, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return petstore.Pet{}, err
	}
	var id struct{ ID int64 }
	if err := json.Unmarshal(answer, &id); err != nil || response.StatusCode != http.StatusCreated {
		return petstore.Pet{}, fmt.Errorf("answered %d %s", response.StatusCode, answer)
	}
	return petstore.Pet{ID: id.ID, NewPet: n}, nil
}
