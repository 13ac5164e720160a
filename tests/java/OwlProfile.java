import java.io.File;
import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.profiles.OWL2DLProfile;
import org.semanticweb.owlapi.profiles.OWLProfileViolation;

/**
 * Asks the OWL API whether ontologies are in OWL 2 DL.
 *
 * <p>Each argument is a file, read by itself. For each violation one line is printed: the file, a
 * tab, the violation; for a file without any, the file, a tab and "OWL 2 DL".
 */
public final class OwlProfile {
    private OwlProfile() {}

    public static void main(String[] files) throws Exception {
        for (String file : files) {
            OWLOntology ontology =
                    OWLManager.createOWLOntologyManager()
                            .loadOntologyFromOntologyDocument(new File(file));
            boolean sound = true;
            for (OWLProfileViolation violation :
                    new OWL2DLProfile().checkOntology(ontology).getViolations()) {
                sound = false;
                System.out.println(file + "\t" + violation.toString().replaceAll("\\s+", " "));
            }
            if (sound) {
                System.out.println(file + "\tOWL 2 DL");
            }
        }
    }
}
