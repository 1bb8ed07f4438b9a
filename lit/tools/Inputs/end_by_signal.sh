#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# end_by_signal.sh SIGNAL NUMBER STARTED COMMAND...: runs the command, sends the signal once the file STARTED is there ("-": after half a second), and demands that the signal ends it.
signal=$1 number=$2 started=$3
shift 3
"$@" &
pid=$!
if [ "$started" = - ]; then
  sleep 0.5
else
  while [ ! -e "$started" ]; do kill -0 $pid || exit 1; sleep 0.05; done
fi
kill -s "$signal" $pid
wait $pid
status=$?
[ $status -eq $((128 + number)) ] && exit 0
echo "it ended with $status" >&2
exit 1
