"""A session of the client of fastmcp (PyPI). Argument: a URL."""

import asyncio
import sys
from http.client import HTTPConnection
from urllib.parse import parse_qs, urlsplit

from fastmcp import Client
from fastmcp.client.auth import OAuth
from mcp.client.auth import AuthorizationCodeResult

url = sys.argv[1]
book = "practice://books/1"


class Login(OAuth):
    """Logs a user in as a browser would."""

    async def redirect_handler(self, authorization_url):
        address = urlsplit(authorization_url)
        browser = HTTPConnection(address.netloc)
        browser.request("GET", f"{address.path}?{address.query}&auto=ada")
        location = browser.getresponse().getheader("location")
        returned = parse_qs(urlsplit(location).query)
        self.returned = {name: values[0] for name, values in returned.items()}

    async def callback_handler(self):
        return AuthorizationCodeResult(**self.returned)


async def main():
    auth = Login(url) if url.endswith("/protected") else None
    async with Client(url, auth=auth) as client:
        assert any(tool.name == "greet" for tool in await client.list_tools())
        greeting = await client.call_tool("greet", {"name": "Ada"})
        assert greeting.content[0].text == "Hello, Ada!"
        assert any(str(each.uri) == book for each in await client.list_resources())
        assert '"id":1' in (await client.read_resource(book))[0].text.replace(" ", "")
        assert any(each.name == "describe_collection" for each in await client.list_prompts())
        prompt = await client.get_prompt("describe_collection", {"collection": "books"})
        assert len(prompt.messages) == 2


asyncio.run(main())
