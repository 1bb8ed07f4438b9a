#!/bin/sh
echo "two.cl(1): error: no suitable constructor"
exit 1
