// Renders a chart as "helm template" does, for machines without Helm: the same template engine and function library (text/template,
// sprig), with the few functions that Helm adds. Debian: golang-go, golang-github-masterminds-sprig-dev, golang-gopkg-yaml.v3-dev.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run ./server/test/deploy/render-chart [-release NAME] [-notes] [-live OBJECT] CHART VALUES
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type values = map[string]interface{}

var (
	release = flag.String("release", "demo", "name of the release")
	notes   = flag.Bool("notes", false, "print the notes instead of the objects")
	live    = flag.String("live", "", "file with what the function lookup finds in the cluster, as JSON")
)

func main() {
	flag.Parse()
	if err := render(flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(chart, valuesFile string) error {
	defaults, err := readYaml(filepath.Join(chart, "values.yaml"))
	if err != nil {
		return err
	}
	given, err := readYaml(valuesFile)
	if err != nil {
		return err
	}
	about, err := readYaml(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		return err
	}
	found := values{}
	if *live != "" {
		if found, err = readYaml(*live); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return nil, errors.New(message)
			}
			return value, nil
		},
		"lookup": func(version, kind, namespace, name string) values { return found },
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
	})
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := all.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	data := values{
		"Values":  merge(defaults, given),
		"Chart":   values{"AppVersion": about["appVersion"], "Version": about["version"], "Name": about["name"]},
		"Release": values{"Name": *release, "Namespace": "default", "Service": "Helm"},
		"Files":   folder(chart),
	}
	for _, file := range files {
		name := filepath.Base(file)
		if wanted := strings.HasSuffix(name, ".yaml"); *notes == wanted || strings.HasSuffix(name, ".tpl") {
			continue
		}
		fmt.Println("---")
		if err := all.ExecuteTemplate(os.Stdout, name, data); err != nil {
			return err
		}
		fmt.Println()
	}
	return nil
}

type folder string

func (chart folder) Get(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(string(chart), name))
	return string(text), err
}

func readYaml(file string) (values, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var parsed values
	if err := yaml.Unmarshal(text, &parsed); err != nil {
		return nil, err
	}
	// Like Helm, through JSON: every number is a float64.
	if text, err = json.Marshal(parsed); err != nil {
		return nil, err
	}
	parsed = nil
	err = json.Unmarshal(text, &parsed)
	return parsed, err
}

func merge(into, from values) values {
	for key, value := range from {
		below, isMap := value.(values)
		existing, wasMap := into[key].(values)
		if isMap && wasMap {
			into[key] = merge(existing, below)
		} else {
			into[key] = value
		}
	}
	return into
}
