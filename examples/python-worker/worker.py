"""A worker in another language: asks, parks and goes on over plain HTTP, with the standard library alone."""
import datetime, json, os, pathlib, sys, threading, time, urllib.parse, urllib.request, uuid

DRIVER = "python"


def where():
    if "INTERLUDE_URL" in os.environ:
        return os.environ["INTERLUDE_URL"], os.environ["INTERLUDE_API_KEY"]
    home = os.environ.get("INTERLUDE_HOME", pathlib.Path(__file__).parents[2] / ".interlude")
    running = json.loads((pathlib.Path(home) / "dev.json").read_text())  # as `npm run dev` leaves it
    return running["url"], running["api_key"]


URL, KEY = where()


def post(path, body, **headers):
    headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json", **headers}
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=90) as response:
        return json.loads(response.read() or "null")


def start(run_id):
    expiry = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    ask = {"question": f"{run_id}: how many?", "mode": "async", "expiry_at": expiry.isoformat(),
           "run": {"driver": DRIVER, "run_id": run_id}, "id": f"py-{uuid.uuid4()}"}
    asked = post("/api/interactions", ask)["interaction_id"]
    post(f"/api/runs/{DRIVER}/{urllib.parse.quote(run_id, safe='')}/park", {"interaction_ids": [asked]})
    print(f"{run_id} waits for {asked}", flush=True)


def keep(claim, done):
    while not done.wait(claim["lease_seconds"] / 3):
        post(f"/api/claims/{claim['claim_id']}/heartbeat", {})


def work():
    print("working; Ctrl-C ends", flush=True)
    key = str(uuid.uuid4())  # a claim that was not brought to its end comes again under the same key
    while True:
        done = threading.Event()
        try:
            claim = post(f"/api/drivers/{DRIVER}/claims?wait=30", {}, **{"idempotency-key": key})
            if claim is not None:
                threading.Thread(target=keep, args=(claim, done), daemon=True).start()
                given = claim["continuation"]
                answers = [r.get("answer", r["status"]) for r in given["resolutions"]]
                print(f"{given['run_id']}: {answers[0]} (fencing {claim['fencing']})", flush=True)
                post(f"/api/claims/{claim['claim_id']}/complete", {"result": answers})
            key = str(uuid.uuid4())
        except OSError as error:  # the server starts again, the network is away, the lease was lost
            print(f"trying again: {error}", flush=True)
            time.sleep(1)
        done.set()


post("/api/drivers", {"name": DRIVER, "checkpointer": {"kind": "postgres"}})
start(sys.argv[2]) if sys.argv[1:2] == ["start"] else work()
