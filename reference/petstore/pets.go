package petstore

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/gin-gonic/gin"
)

func (s *Service) listPets(c *gin.Context) {
	filter, limit, err := parseList(c.Request.URL.RawQuery)
	if err != nil {
		fail(c, http.StatusBadRequest, CodeInvalidRequest, err.Error())
		return
	}
	pets, err := s.store.List(c.Request.Context(), filter, limit)
	if err != nil {
		failInternal(c, fmt.Errorf("animals could not be listed: %w", err))
		return
	}
	body, err := appendPets(nil, pets)
	if err != nil {
		failInternal(c, fmt.Errorf("a list could not be encoded: %w", err))
		return
	}
	respond(c, http.StatusOK, body)
}

func (s *Service) createPet(c *gin.Context) {
	body, err := io.ReadAll(c.Request.Body)
	if err != nil {
		failReading(c, err)
		return
	}
	wanted, err := decodeNewPet(body)
	if err != nil {
		fail(c, http.StatusBadRequest, CodeInvalidRequest, err.Error())
		return
	}
	pet, err := s.store.Create(c.Request.Context(), wanted)
	if err != nil {
		failInternal(c, fmt.Errorf("an animal could not be created: %w", err))
		return
	}
	c.Header("Location", s.petsPath()+"/"+strconv.FormatInt(pet.ID, 10)) // RFC 9110, section 10.2.2
	respondPet(c, http.StatusCreated, pet)
}

func (s *Service) getPet(c *gin.Context) {
	id, ok := ParseInteger(c.Param("petId"))
	if !ok {
		fail(c, http.StatusBadRequest, CodeInvalidRequest, "an animal's identifier is an integer of at most 64 bits")
		return
	}
	pet, err := s.store.Get(c.Request.Context(), id)
	switch {
	case errors.Is(err, ErrNotFound):
		fail(c, http.StatusNotFound, CodeNotFound, "there is no animal with this identifier")
	case err != nil:
		failInternal(c, fmt.Errorf("an animal could not be read: %w", err))
	default:
		respondPet(c, http.StatusOK, pet)
	}
}

func respondPet(c *gin.Context, status int, pet Pet) {
	body, err := appendPet(nil, pet)
	if err != nil {
		failInternal(c, fmt.Errorf("animal %d could not be encoded: %w", pet.ID, err))
		return
	}
	respond(c, status, body)
}

// failReading responds to a request whose body could not be read completely.
func failReading(c *gin.Context, err error) {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		fail(c, http.StatusRequestEntityTooLarge, codeTooLarge,
			fmt.Sprintf("the body is too large: at most %d bytes are accepted", tooLarge.Limit))
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.Header("Connection", "close")
		fail(c, http.StatusRequestTimeout, codeTimeout, "the body did not arrive in time")
	default:
		fail(c, http.StatusBadRequest, CodeInvalidRequest, "the body ended early")
	}
}
