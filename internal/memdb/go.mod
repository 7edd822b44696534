module github.com/hashicorp/go-memdb

go 1.26.0
