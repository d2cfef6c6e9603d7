-- Sends requests from a file, separated by NUL, at random, and prints one line of figures as JSON.
local requests = {}
for request in io.open(os.getenv("BENCH_REQUESTS")):read("*a"):gmatch("%Z+") do
  requests[#requests + 1] = request
end
math.randomseed(7)

function request()
  return requests[math.random(#requests)]
end

-- wrk reports microseconds, and counts any status but 2xx and 3xx as an error.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\n{"answers":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"unexpected":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.read + errors.write + errors.connect + errors.timeout))
end
