import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.ws.security.WSConstants;
import org.apache.ws.security.message.WSSecHeader;
import org.apache.ws.security.message.WSSecTimestamp;
import org.apache.ws.security.message.WSSecUsernameToken;
import org.w3c.dom.Document;

/** Calls Add with messages that WSS4J protects: each argument is a password type, a password and a SOAP version. */
class WsSecurity {
  public static void main(String[] args) throws Exception {
    for (int at = 1; at < args.length; at++) {
      String[] parts = args[at].split(",");
      call(args[0], parts[0].equals("digest"), parts[1], parts[2].equals("1.2"));
    }
  }

  static void call(String url, boolean isDigest, String password, boolean isNewer) throws Exception {
    String namespace = isNewer
        ? "http://www.w3.org/2003/05/soap-envelope"
        : "http://schemas.xmlsoap.org/soap/envelope/";
    String envelope = "<e:Envelope xmlns:e='" + namespace + "'><e:Header/><e:Body>"
        + "<Add xmlns='http://tempuri.org/'><intA>2</intA><intB>3</intB></Add></e:Body></e:Envelope>";
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    byte[] bytes = envelope.getBytes(StandardCharsets.UTF_8);
    Document document = factory.newDocumentBuilder().parse(new ByteArrayInputStream(bytes));

    WSSecHeader header = new WSSecHeader();
    header.insertSecurityHeader(document);
    WSSecUsernameToken token = new WSSecUsernameToken();
    token.setPasswordType(isDigest ? WSConstants.PASSWORD_DIGEST : WSConstants.PASSWORD_TEXT);
    token.setUserInfo("ada", password);
    if (!isDigest) {
      token.addNonce();
      token.addCreated();
    }
    token.build(document, header);
    new WSSecTimestamp().build(document, header);

    StringWriter text = new StringWriter();
    TransformerFactory.newInstance().newTransformer()
        .transform(new DOMSource(document), new StreamResult(text));
    HttpRequest request = HttpRequest.newBuilder(URI.create(url))
        .header("Content-Type", isNewer ? "application/soap+xml" : "text/xml")
        .POST(HttpRequest.BodyPublishers.ofString(text.toString()))
        .build();
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(response.statusCode() + " " + response.body().replaceAll("<[^>]*>|\\s+", " ").trim());
  }
}
