// In a mutation run a property that fails has done its work: no smaller example is sought.
require('fast-check').configureGlobal({ endOnFailure: true });
