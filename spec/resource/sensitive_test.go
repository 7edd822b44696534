package resource

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
)

func TestSensitive(t *testing.T) {
	for _, c := range []struct{ method, path, id, summary, tag, want string }{
		{"POST", "/users", "createUser", "", "", "user"},
		{"POST", "/api/v1/users/new", "x1", "", "", "user"},
		{"POST", "/register", "register", "", "", "user"},
		{"PUT", "/users/{name}", "putUser", "", "", "user"},
		{"POST", "/teams/{id}/members", "addMember", "", "", "member"},
		{"POST", "/projects/{id}/invitations", "inviteToProject", "", "", "invitation"},
		{"POST", "/auth/token", "issueToken", "", "", "token"},
		{"POST", "/api-keys", "create_api_key_api_keys_post", "", "", "key"},
		{"POST", "/users/{id}/ssh-keys", "addSshKey", "", "", "key"},
		{"POST", "/send", "send", "Send an e-mail to a user", "", "message"},
		{"POST", "/mails", "sendMail", "", "", "message"},
		{"POST", "/notifications", "notify", "", "", "notification"},
		{"POST", "/orders/{id}/payments", "payOrder", "", "", "payment"},
		{"POST", "/orders", "createOrder", "Places an order and charges the card", "", "payment"},
		{"POST", "/new", "n", "", "Users", "user"},
		{"POST", "/orders", "createOrder", "Places an order", "", ""},
		{"POST", "/users/{id}/todos", "addTodoForUser", "Add a todo for the user", "Users", ""},
		{"POST", "/users/{id}/activate", "activateUser", "", "Users", ""},
		{"POST", "/users/search", "searchUsers", "", "Users", ""},
		{"POST", "/pets", "addPet", "Add a pet to a user's account", "pets", ""},
		{"POST", "/user-settings", "createUserSettings", "", "users", ""},
		{"POST", "/messages/{id}/read", "markMessageRead", "", "", ""},
		{"GET", "/users", "listUsers", "", "", ""},
		{"DELETE", "/users/{id}", "deleteUser", "", "", ""},
		{"POST", "/keyboards", "addKeyboard", "", "", ""},
	} {
		op := &spec.Operation{ID: c.id, Method: c.method, Path: c.path, Summary: c.summary}
		if c.tag != "" {
			op.Tags = []string{c.tag}
		}
		if got := Sensitive(op); got != c.want {
			t.Errorf("%s %s %s %q: %q, want %q", c.method, c.path, c.id, c.summary, got, c.want)
		}
	}
}
