#!/bin/sh
# Stands in for javac while shadow-ci asks a build tool how it would compile: notes the arguments, and compiles only where the file
# COMPILES is there.
case " $* " in *" -version "*|*" --version "*|*" -fullversion "*) exec @JAVAC@ "$@";; esac
calls=@CALLS@
# In the order of the calls: of two for one folder, the later one writes over the classes of the first.
note=$(mktemp "$calls/$(printf '%06d' "$(ls "$calls" | wc -l)")-XXXXXXXX") || exit 1
for argument in "$@"; do
  case "$argument" in
    @*) cat "${argument#@}" >> "$note"; echo >> "$note";;
    -J*) ;;
    *) printf '%s\n' "$argument" >> "$note";;
  esac
done
out=$(sed -n '/^"\{0,1\}-d"\{0,1\}$/{n;p;}' "$note" | tr -d '"')
[ -z "$out" ] || mkdir -p "$out"
if [ -e @COMPILES@ ]; then exec @JAVAC@ "$@"; fi
exit 0
