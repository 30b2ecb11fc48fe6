"""What aiohttp makes of redirects and cookies; prints JSON for the test that starts it."""

import asyncio
import json
import sys

import aiohttp

base = sys.argv[1]


async def main():
    # Cookies of IP addresses, which aiohttp does not keep by default.
    jar = aiohttp.CookieJar(unsafe=True, quote_cookie=False)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:

        async def call(method, url, **options):
            async with session.request(method, url, **options) as response:
                return await response.json(), len(response.history)

        redirects = {}
        for status in (301, 302, 303, 307, 308):
            for method in ("POST", "PUT"):
                url = f"{base}/api/http/redirect/2?status={status}"
                end, hops = await call(method, url, data="hello")
                redirects[f"{status} {method}"] = [end["method"], end["body"], hops]
        started, _ = await call("POST", f"{base}/api/http/cookies/jar")
        for step in started["steps"]:
            await call("GET", step)
        verdict, _ = await call("GET", started["verdict"])
        right = {each["name"]: each["isRight"] for each in verdict["cookies"]}
        print(json.dumps({"redirects": redirects, "jar": right}))


asyncio.run(main())
