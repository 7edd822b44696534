# What the scripts of action.yml share. They run in bash 3.2 (macOS) and later, with the tools that every runner has.
set -euo pipefail

# fail MESSAGE: ends the step with an annotation, and with the exit code of hallmark for wrong usage.
fail() {
	echo "::error title=hallmark::$(escaped "$1")"
	exit 2
}

# warn MESSAGE: makes an annotation.
warn() { echo "::warning title=hallmark::$(escaped "$1")"; }

# escaped TEXT: the text of a workflow command.
escaped() {
	local text=${1//'%'/%25}
	text=${text//$'\r'/%0D}
	echo "${text//$'\n'/%0A}"
}

# output NAME VALUE: sets an output of the step.
output() { echo "$1=$2" >>"$GITHUB_OUTPUT"; }

# is_true INPUT VALUE: whether an input is true; any value but true and false is an error, and an empty one is false.
is_true() {
	case $2 in
		true) return 0 ;;
		false | '') return 1 ;;
		*) fail "$1 is \"$2\"; it can be true or false" ;;
	esac
}
