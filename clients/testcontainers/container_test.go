package client_test

import (
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
	"practiceapi.invalid/practiceapi"
)

func startContainer(t *testing.T) *practiceapi.Sandbox {
	t.Helper()
	ctx := t.Context()
	container, err := testcontainers.Run(ctx, "practice-api",
		testcontainers.WithExposedPorts("3000/tcp"),
		testcontainers.WithWaitStrategy(wait.ForHTTP("/health/ready").WithPort("3000/tcp")))
	testcontainers.CleanupContainer(t, container)
	if err != nil {
		t.Fatal(err)
	}
	url, err := container.PortEndpoint(ctx, "3000/tcp", "http")
	if err != nil {
		t.Fatal(err)
	}
	return practiceapi.At(url).Sandbox(t)
}
