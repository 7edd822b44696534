package shelf

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// Gin serves the same interface with gin.
func (s *Shelf) Gin() http.Handler {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.Use(func(c *gin.Context) {
		if c.GetHeader("X-Key") != s.Key {
			problem(c.Writer, http.StatusUnauthorized, "the key is missing or wrong")
			c.Abort()
		}
	})
	books := engine.Group("/v1/books")
	books.GET("", served(s.list))
	books.POST("", served(s.add))
	books.GET("/:id", served(s.get))
	books.DELETE("/:id", served(s.remove))
	return engine
}

func served(serve http.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Request.SetPathValue("id", c.Param("id"))
		serve(c.Writer, c.Request)
	}
}
